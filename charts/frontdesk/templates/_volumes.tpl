{{- define "frontdesk.volumes" -}}
{{- with .Values.modules.credentialsSecret }}
- name: registries
  secret:
    secretName: {{ . }}
    items:
      - key: .dockerconfigjson
        path: .dockerconfigjson
{{- end }}
{{- with include "frontdesk.caBundle" . }}
- name: ca
  {{- . | nindent 2 }}
{{- end }}
{{- if .Values.modules.verifyKeys }}
- name: files
  configMap:
    name: {{ include "frontdesk.fullname" . }}-files
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "frontdesk.volumeMounts" -}}
{{- if .Values.modules.credentialsSecret }}
- name: registries
  mountPath: /etc/frontdesk/registries
  readOnly: true
{{- end }}
{{- if include "frontdesk.caBundle" . }}
- name: ca
  mountPath: /etc/frontdesk/ca
  readOnly: true
{{- end }}
{{- if .Values.modules.verifyKeys }}
- name: files
  mountPath: /etc/frontdesk/files
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}
