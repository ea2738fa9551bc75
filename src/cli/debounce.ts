/** A function after whose last call, when it has been quiet for `ms` milliseconds, `action` is called once. */
export function debounce(ms: number, action: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, ms);
  };
}
