import type { Shell } from './shell.ts';

/** Thin: what may stand where is told by `frontdesk __complete`, for all shells alike. */
const scripts: Record<Shell, string> = {
  bash: `# Completion of frontdesk for bash 4 and later.
_frontdesk() {
  local line=\${COMP_LINE:0:COMP_POINT} words current answer prefix
  # Not COMP_WORDS: bash breaks words at = and : as well.
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=\${words[\${#words[@]} - 1]}
  mapfile -t answer < <(frontdesk __complete -- "\${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  if [[ \${answer[0]-} == :files ]]; then
    compopt -o default
    return
  fi
  answer=("\${answer[@]%%$'\\t'*}")
  # What bash takes for words of their own is not to be repeated.
  prefix=\${current%"\${current##*[=:]}"}
  COMPREPLY=("\${answer[@]#"$prefix"}")
  [[ \${#answer[@]} -gt 0 && \${answer[0]} == *= ]] && compopt -o nospace
  return 0
}
complete -F _frontdesk frontdesk
`,
  zsh: `#compdef frontdesk
_frontdesk() {
  local -a answer candidates
  local line
  answer=("\${(@f)$(frontdesk __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $answer[1] == :files ]]; then
    _files
    return
  fi
  for line in $answer; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe frontdesk candidates
}
compdef _frontdesk frontdesk
`,
  fish: `function __frontdesk_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l answer (frontdesk __complete -- $words[2..-1] 2>/dev/null)
    if test "$answer[1]" = :files
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $answer
    end
end
complete -c frontdesk -f -a '(__frontdesk_complete)'
`,
};

/** What a shell is to read to complete the words of `frontdesk`. */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}
