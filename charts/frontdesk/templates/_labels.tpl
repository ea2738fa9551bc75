{{- /* https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/ */}}

{{- /* component, root */}}
{{- define "frontdesk.selector" -}}
app.kubernetes.io/name: {{ include "frontdesk.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- /* component, root */}}
{{- define "frontdesk.labels" -}}
{{ include "frontdesk.selector" . }}
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | trunc 63 | trimAll "-_." | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: frontdesk
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimAll "-_." }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* component, root. Without versions: an upgrade of the chart alone starts no pod anew. */}}
{{- define "frontdesk.podLabels" -}}
{{ include "frontdesk.selector" . }}
app.kubernetes.io/part-of: frontdesk
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /*
Metadata of an object. root, component; name, unless it is that of the release; namespace, unless it is that of the
release, "" for none; annotations and labels.
*/}}
{{- define "frontdesk.metadata" -}}
name: {{ .name | default (include "frontdesk.fullname" .root) }}
{{- if not (and (hasKey . "namespace") (empty .namespace)) }}
namespace: {{ .namespace | default .root.Release.Namespace }}
{{- end }}
labels:
  {{- include "frontdesk.labels" . | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
