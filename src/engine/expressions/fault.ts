/** What is wrong with an expression, and where: characters [from, to) of its text. */
export interface ExpressionFault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly hint?: string | undefined;
  /** What to write instead of characters [from, to), where that is likely to be meant. */
  readonly replacement?: string | undefined;
}

/** A part of an expression's text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The one error that parsing and checking throw. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly fault: ExpressionFault;

  constructor({ from, to }: Span, message: string, more: Pick<ExpressionFault, "hint" | "replacement"> = {}) {
    super(message);
    this.fault = { from, to, message, ...more };
  }
}
