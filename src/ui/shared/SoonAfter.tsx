import { type ReactNode, startTransition, useEffect, useState } from "react";

/**
 * What the first picture of the page can do without. It is drawn right after it, in pieces between which a click is answered.
 */
export function SoonAfter({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(false);
  useEffect(() => startTransition(() => setDue(true)), []);
  return due ? children : null;
}
