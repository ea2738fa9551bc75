{{- /*
The credentials of the release, as a JSON object: for each environment variable where it comes from (`value`,
`existingSecret`, `key`), and whether it is made if it comes from nowhere (`generate`). Those that are not used are left out.
*/}}
{{- define "frontdesk.credentials" -}}
{{- $all := dict "AUTH_TOKEN" (dict "generate" true "from" .Values.auth.token) -}}
{{- if .Values.codehost.signed -}}
  {{- $_ := set $all "CODEHOST_WEBHOOK_SECRET" (dict "generate" true "from" .Values.codehost.webhookSecret) -}}
  {{- with .Values.codehost.previousWebhookSecret -}}
    {{- if or .value .existingSecret }}{{ $_ := set $all "CODEHOST_WEBHOOK_SECRET_PREVIOUS" (dict "from" .) }}{{ end -}}
  {{- end -}}
{{- end -}}
{{- if .Values.redis.enabled -}}
  {{- $_ := set $all "STREAM_PASSWORD" (dict "generate" true "from" .Values.redis.password) -}}
{{- else -}}
  {{- with .Values.externalRedis.password -}}
    {{- if or .value .existingSecret }}{{ $_ := set $all "STREAM_PASSWORD" (dict "from" .) }}{{ end -}}
  {{- end -}}
  {{- with .Values.externalRedis.sentinelPassword -}}
    {{- if or .value .existingSecret }}{{ $_ := set $all "STREAM_SENTINEL_PASSWORD" (dict "from" .) }}{{ end -}}
  {{- end -}}
{{- end -}}
{{ toJson $all }}
{{- end }}

{{- /* credential, root → the environment variable's `secretKeyRef`. */}}
{{- define "frontdesk.secretKeyRef" -}}
secretKeyRef:
  name: {{ .credential.from.existingSecret | default (include "frontdesk.fullname" .root) }}
  key: {{ .credential.from.key }}
{{- end }}

{{- /*
What changes when the values of credentials do. Not the Secret itself: what is made at random is another each time it is
rendered, until the Secret is there.
*/}}
{{- define "frontdesk.credentialsChecksum" -}}
{{ include "frontdesk.credentials" . | sha256sum }}
{{- end }}
