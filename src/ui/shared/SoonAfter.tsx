import { type ReactNode, startTransition, useEffect, useState } from "react";

/** The page has had its first picture: from then on nothing waits. */
let pictured = false;

/**
 * What the first picture of the page can do without. It is drawn right after it, in pieces between which a click is answered.
 */
export function SoonAfter({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(pictured);
  useEffect(() => {
    pictured = true;
    startTransition(() => setDue(true));
  }, []);
  return due ? children : null;
}
