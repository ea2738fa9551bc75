{{- /* The environment of the pods but for credentials: what the chart sets, and `config`. As YAML of a map of text. */}}
{{- define "frontdesk.environment" -}}
{{- $settings := include "frontdesk.settings" . | fromYaml -}}
{{- range $name, $value := .Values.config -}}
  {{- $_ := set $settings $name (kindIs "float64" $value | ternary (int64 $value) $value | toString) -}}
{{- end -}}
{{ toYaml $settings }}
{{- end }}

{{- /* What the chart sets of the settings of the service. As YAML of a map. */}}
{{- define "frontdesk.settings" -}}
HOST: "0.0.0.0"
PORT: "8080"
DATA_DIR: /data
MODULE_CACHE_BYTES: {{ include "frontdesk.bytes" .Values.modules.cacheSize | quote }}
SHUTDOWN_DELAY: {{ .Values.drain.seconds }}s
SHUTDOWN_TIMEOUT: {{ .Values.drain.timeoutSeconds }}s
CATALOG_SOURCES: {{ .Values.templates.builtin | ternary "kubernetes,folder" "kubernetes" }}
WATCH_NAMESPACES: {{ include "frontdesk.namespaces" . | fromJsonArray | join "," | quote }}
OPERATOR: {{ .Values.operator.enabled | quote }}
{{- if .Values.redis.enabled }}
STREAM_ADDR: {{ include "frontdesk.redisName" . }}
{{- else }}
STREAM_URL: {{ required "externalRedis.url: needed with redis.enabled=false" .Values.externalRedis.url | quote }}
{{- with .Values.externalRedis.username }}
STREAM_USERNAME: {{ . | quote }}
{{- end }}
{{- end }}
{{- if .Values.modules.credentialsSecret }}
MODULE_CREDENTIALS: /etc/frontdesk/registries/.dockerconfigjson
{{- end }}
{{- if .Values.modules.verifyKeys }}
MODULE_VERIFY: /etc/frontdesk/files/cosign.pub
{{- end }}
{{- if include "frontdesk.caBundle" . }}
NODE_EXTRA_CA_CERTS: /etc/frontdesk/ca/ca.crt
{{- end }}
{{- end }}

{{- /* Bytes of a size, as Kubernetes (256Mi) or redis.conf (680mb) writes it. */}}
{{- define "frontdesk.bytes" -}}
{{- $units := dict "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "" 1 "k" 1000 "kb" 1024 "m" 1000000 "mb" 1048576 "g" 1000000000 "gb" 1073741824 -}}
{{- $unit := regexFind "[A-Za-z]*$" . -}}
{{ mul (trimSuffix $unit . | int64) (get $units $unit) }}
{{- end }}

{{- /* Where the bundle of authorities comes from, as a source of a volume; nothing where there is none. */}}
{{- define "frontdesk.caBundle" -}}
{{- with .Values.caBundle -}}
{{- $items := list (dict "key" .key "path" "ca.crt") -}}
{{- if .secret -}}
secret:
  {{- dict "secretName" .secret "items" $items | toYaml | nindent 2 }}
{{- else if .configMap -}}
configMap:
  {{- dict "name" .configMap "items" $items | toYaml | nindent 2 }}
{{- else if .pem -}}
configMap:
  {{- dict "name" (printf "%s-files" (include "frontdesk.fullname" $)) "items" (list (dict "key" "ca.crt" "path" "ca.crt")) | toYaml | nindent 2 }}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* Files that are in values: name → text, as JSON. */}}
{{- define "frontdesk.files" -}}
{{- $files := dict -}}
{{- with .Values.modules.verifyKeys }}{{ $_ := set $files "cosign.pub" . }}{{ end -}}
{{- with .Values.caBundle -}}
{{- if and .pem (not .secret) (not .configMap) }}{{ $_ := set $files "ca.crt" .pem }}{{ end -}}
{{- end -}}
{{ toJson $files }}
{{- end }}
