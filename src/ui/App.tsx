import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { useMemo } from "react";
import { colorSchemeManager } from "./shared/color-scheme.ts";
import { styleNonce } from "./shared/nonce.ts";
import { cssVariables, theme } from "./shared/theme.ts";
import type { Address } from "./shell/address.ts";
import { type Part, PartsContext, Slot } from "./shell/parts.tsx";
import { Shell } from "./shell/Shell.tsx";
import { type Workbench, WorkbenchProvider } from "./shell/workbench.ts";

interface AppProps {
  readonly workbench: Workbench;
  readonly parts: readonly Part[];
  readonly address: Address;
}

export function App({ workbench, parts, address }: AppProps) {
  const manager = useMemo(() => colorSchemeManager(address.theme), [address.theme]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={manager}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <WorkbenchProvider value={workbench}>
        <PartsContext value={parts}>
          <Shell />
          <Slot name="Background" />
          <Notifications position="bottom-right" limit={4} />
        </PartsContext>
      </WorkbenchProvider>
    </MantineProvider>
  );
}
