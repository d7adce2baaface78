import { ActionIcon, Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

const SCHEMES = [
  { value: "light", label: "Light", Icon: IconSun },
  { value: "dark", label: "Dark", Icon: IconMoon },
  { value: "auto", label: "As the system", Icon: IconDeviceDesktop },
] as const;

export function ThemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const current = SCHEMES.find((scheme) => scheme.value === colorScheme) ?? SCHEMES[2];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`Theme: ${current.label}`} title={`Theme: ${current.label}`} data-testid="theme">
          <current.Icon size={17} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ value, label, Icon }) => (
          <Menu.Item
            key={value}
            data-testid={`theme-${value}`}
            leftSection={<Icon size={15} stroke={1.6} />}
            rightSection={value === colorScheme ? <IconCheck size={14} /> : undefined}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
