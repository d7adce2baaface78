/** SQL's names of types beside the document's own. A timestamp without a unit counts microseconds. */
export const SQL_NAMES: ReadonlyMap<string, string> = new Map([
  ["bool", "boolean"],
  ["tinyint", "int8"],
  ["smallint", "int16"],
  ["int", "int32"],
  ["integer", "int32"],
  ["bigint", "int64"],
  ["utinyint", "uint8"],
  ["usmallint", "uint16"],
  ["uinteger", "uint32"],
  ["ubigint", "uint64"],
  ["real", "float32"],
  ["float", "float64"],
  ["double", "float64"],
  ["double precision", "float64"],
  ["text", "utf8"],
  ["varchar", "utf8"],
  ["string", "utf8"],
  ["blob", "binary"],
  ["bytea", "binary"],
  ["timestamp", "timestamp[us]"],
  ["decimal", "decimal(18,3)"],
  ["numeric", "decimal(18,3)"],
]);

export const DECIMAL_RULE = "a decimal has 1 to 38 digits, and no more of them behind the point than that";
