/**
 * The nonce under which the page may add style elements. The server writes it into a meta element of each response; the
 * element's attribute is hidden from scripts, its property is not.
 */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}

/** Scroll locking adds a style element of its own; it looks for the nonce under this name (package get-nonce). */
export function announceNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}
