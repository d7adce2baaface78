import { notifications } from "@mantine/notifications";

/** Tells the person something in passing. */
export function tell(message: string, tone: "info" | "warning" = "info"): void {
  notifications.show({
    message,
    color: tone === "info" ? "accent" : "orange",
    autoClose: tone === "info" ? 4000 : 7000,
  });
}
