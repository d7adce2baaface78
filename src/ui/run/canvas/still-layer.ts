/**
 * A picture of what does not move, kept beside a canvas and laid under what does: laying it there is one copy, whatever is in it.
 */
export class StillLayer {
  private readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d");
  private key: readonly unknown[] = [];

  /**
   * Replaces all that is on `target` by the picture. `draw` paints it anew, onto an empty canvas of the same size, when the size or
   * a part of the key is another than last time.
   */
  show(
    target: CanvasRenderingContext2D,
    key: readonly unknown[],
    draw: (context: CanvasRenderingContext2D) => void,
  ): void {
    const { canvas, context } = this;
    const { width, height } = target.canvas;
    if (width === 0 || height === 0 || context === null) return;
    const full = [width, height, ...key];
    if (full.length !== this.key.length || full.some((part, index) => part !== this.key[index])) {
      this.key = full;
      // Setting a size empties a canvas.
      canvas.width = width;
      canvas.height = height;
      draw(context);
    }
    target.setTransform(1, 0, 0, 1, 0, 0);
    target.globalCompositeOperation = "copy";
    target.drawImage(canvas, 0, 0);
    target.globalCompositeOperation = "source-over";
  }
}
