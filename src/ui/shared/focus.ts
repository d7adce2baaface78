/** A ref for a field that the person has just asked to type into. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
