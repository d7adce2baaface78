import { useMemo } from "react";
import type { Command } from "./commands.ts";
import { useParts } from "./parts.tsx";
import { useWorkbench } from "./workbench.ts";

export function useCommands(): readonly Command[] {
  const workbench = useWorkbench();
  const parts = useParts();
  return useMemo(() => parts.flatMap((part) => part.commands?.(workbench) ?? []), [parts, workbench]);
}
