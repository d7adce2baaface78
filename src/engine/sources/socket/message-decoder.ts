import { Batch } from "../../data/batch.ts";
import { columnBuilder, TextBuilder } from "../../data/column-builder.ts";
import type { Schema } from "../../data/schema.ts";
import { decodeUtf8, encodeUtf8, isUtf8 } from "../../data/text.ts";
import type { BadRow } from "../../formats/bad-rows.ts";
import { ndjsonDecoder } from "../../formats/ndjson.ts";
import { type DecodedRows, type RecordDecoder, START } from "../../formats/record-decoder.ts";
import { type SocketSourceConfig, schemaOf } from "../../operators/catalog.ts";
import type { Received } from "./inbox.ts";

/** Messages as rows. Whatever they are, all of them come out at once: as rows, or as bad rows. */
export interface MessageDecoder {
  decode(messages: readonly Received[]): DecodedRows[];
}

/** @param records rows before the first message, bad ones included, for messages about them */
export function messageDecoder(config: SocketSourceConfig, name: string, records: number): MessageDecoder {
  const schema = schemaOf(config.schema);
  return config.format === "text" ? new TextMessages(schema, records) : new JsonMessages(schema, config, name, records);
}

const LINE_END = encodeUtf8("\n");

class JsonMessages implements MessageDecoder {
  private readonly decoder: RecordDecoder;

  constructor(schema: Schema, config: SocketSourceConfig, file: string, records: number) {
    const { extraFields, timestampUnit, batchRows } = config;
    const start = { ...START, records };
    this.decoder = ndjsonDecoder({ schema, extraFields, timestampUnit, batchRows, start, file });
  }

  decode(messages: readonly Received[]): DecodedRows[] {
    for (const { data } of messages) {
      this.decoder.push(typeof data === "string" ? encodeUtf8(data) : data);
      // A message never goes on in the next one.
      this.decoder.push(LINE_END);
    }
    const all: DecodedRows[] = [];
    for (let rows = this.decoder.flush(); rows !== undefined; rows = this.decoder.flush()) all.push(rows);
    return all;
  }
}

class TextMessages implements MessageDecoder {
  private readonly schema: Schema;
  private records: number;

  constructor(schema: Schema, records: number) {
    this.schema = schema;
    this.records = records;
  }

  decode(messages: readonly Received[]): DecodedRows[] {
    const { schema } = this;
    const [field] = schema.fields;
    const builder = field === undefined ? undefined : columnBuilder(field.type, messages.length);
    if (field === undefined || !(builder instanceof TextBuilder))
      throw new TypeError("the schema is one column of text");
    const bad: BadRow[] = [];
    for (const { data } of messages) {
      this.records++;
      if (typeof data === "string") builder.appendString(data);
      else if (isUtf8(data)) builder.appendBytes(data);
      else {
        const row = this.records;
        bad.push({ row, line: row, fields: [field.name], reason: "not UTF-8", text: decodeUtf8(data) });
      }
    }
    const batch = new Batch(schema, builder.length, [builder.finish()]);
    return [{ batch, bad, next: { records: this.records, offset: 0, line: 0 } }];
  }
}
