import { WeirError } from "../base/errors.ts";
import { type LogicalType, sameType, typeName } from "./types.ts";

export interface Field {
  readonly name: string;
  readonly type: LogicalType;
  readonly nullable: boolean;
  /** A timestamp that a window made as its bound: NDJSON has it as an integer of milliseconds, under whatever name. */
  readonly windowBound?: true;
}

/** An ordered list of fields with distinct, non-empty names (D-43). Immutable. */
export class Schema {
  readonly fields: readonly Field[];
  private readonly byName: ReadonlyMap<string, number>;

  /** @throws WeirError `duplicate-columns` naming every empty or repeated name */
  constructor(fields: readonly Field[]) {
    const byName = new Map<string, number>();
    const wrong = new Set<string>();
    fields.forEach((field, index) => {
      if (field.name === "" || byName.has(field.name)) wrong.add(field.name);
      byName.set(field.name, index);
    });
    if (wrong.size > 0) {
      const names = [...wrong].map((name) => (name === "" ? "(empty)" : name)).join(", ");
      throw new WeirError({
        code: "duplicate-columns",
        domain: "data",
        message: `column names must be distinct and not empty: ${names}`,
        hint: "rename the columns",
      });
    }
    this.fields = fields;
    this.byName = byName;
  }

  get length(): number {
    return this.fields.length;
  }

  /** Position of the column, or -1. */
  indexOf(name: string): number {
    return this.byName.get(name) ?? -1;
  }

  field(name: string): Field | undefined {
    const index = this.indexOf(name);
    return index < 0 ? undefined : this.fields[index];
  }

  get names(): string[] {
    return this.fields.map((field) => field.name);
  }

  equals(other: Schema): boolean {
    return (
      this === other ||
      (this.length === other.length &&
        this.fields.every((field, i) => {
          const o = other.fields[i] as Field;
          return field.name === o.name && field.nullable === o.nullable && sameType(field.type, o.type);
        }))
    );
  }

  /** `id int64 not null, name utf8` — for messages. */
  toString(): string {
    return this.fields.map((f) => `${f.name} ${typeName(f.type)}${f.nullable ? "" : " not null"}`).join(", ");
  }
}
