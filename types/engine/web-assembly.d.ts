/**
 * The part of WebAssembly that the engine and its kernels use. The language's own library does not declare it
 * (it counts as a Web API), and the DOM library would bring the rest of a page with it.
 */
declare namespace WebAssembly {
  interface MemoryDescriptor {
    /** Size in pages of 64 KiB. */
    readonly initial: number;
    readonly maximum?: number;
    readonly shared?: boolean;
  }

  class Memory {
    constructor(descriptor: MemoryDescriptor);
    readonly buffer: ArrayBuffer | SharedArrayBuffer;
    grow(pages: number): number;
  }

  class Module {
    constructor(bytes: ArrayBufferView | ArrayBuffer);
    static exports(module: Module): { readonly name: string; readonly kind: string }[];
    static imports(module: Module): { readonly module: string; readonly name: string; readonly kind: string }[];
  }

  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Exports;
  }

  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}

  type ExportValue = ((...args: number[]) => number) | Memory | object;
  type Exports = Record<string, ExportValue>;
  type Imports = Record<string, Record<string, ExportValue | number>>;

  function compile(bytes: ArrayBufferView | ArrayBuffer): Promise<Module>;
  function instantiate(module: Module, imports?: Imports): Promise<Instance>;
  function validate(bytes: ArrayBufferView | ArrayBuffer): boolean;
}
