import { Modal, type ModalProps } from "@mantine/core";

interface DialogProps extends Omit<ModalProps, "title"> {
  readonly title: string;
  readonly testId: string;
  /** The title is read to those who cannot see that the dialog needs none. */
  readonly hideTitle?: boolean;
}

/** A modal dialog by its title. */
export function Dialog({ title, testId, hideTitle = false, ...props }: DialogProps) {
  const label = hideTitle ? { "aria-label": title } : {};
  return (
    <Modal
      {...props}
      {...(hideTitle ? { withCloseButton: false } : { title })}
      closeButtonProps={{ "aria-label": "Close" }}
      attributes={{ content: { "data-testid": testId, ...label } }}
    />
  );
}
