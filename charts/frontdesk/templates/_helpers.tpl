{{- define "frontdesk.name" -}}
{{ .Values.nameOverride | default .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- /* Short enough for what is added to it (`-redis`, and the number of a pod). */}}
{{- define "frontdesk.fullname" -}}
{{- $name := include "frontdesk.name" . -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains $name .Release.Name -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" }}
{{- end -}}
{{- end }}

{{- define "frontdesk.redisName" -}}
{{ include "frontdesk.fullname" . }}-redis
{{- end }}

{{- define "frontdesk.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "frontdesk.fullname" .) }}
{{- else -}}
{{ required "serviceAccount.name: needed with serviceAccount.create=false" .Values.serviceAccount.name }}
{{- end -}}
{{- end }}

{{- /* "true" where templates of all namespaces are served. */}}
{{- define "frontdesk.allNamespaces" -}}
{{- if has "*" .Values.watch.namespaces -}}true{{- end -}}
{{- end }}

{{- /* The namespaces that are watched, as JSON. */}}
{{- define "frontdesk.namespaces" -}}
{{ .Values.watch.namespaces | default (list .Release.Namespace) | uniq | toJson }}
{{- end }}

{{- /* root; image: its registry, repository, tag and digest. The digest wins over the tag. */}}
{{- define "frontdesk.imageOf" -}}
{{- $registry := .root.Values.global.imageRegistry | default .image.registry -}}
{{- with $registry }}{{ . }}/{{ end }}{{ .image.repository }}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ .image.tag | default .root.Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "frontdesk.image" -}}
{{ include "frontdesk.imageOf" (dict "root" . "image" .Values.image) }}
{{- end }}

{{- define "frontdesk.pullSecrets" -}}
{{- with .Values.global.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Where pods go: by the values at the top for those of the service, by those of `redis` for its own. */}}
{{- define "frontdesk.scheduling" -}}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
