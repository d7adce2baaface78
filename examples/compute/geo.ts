// Two functions over positions, for the graph couriers-by-map-cell.json. Made into geo.wasm by `node scripts/example-modules.mjs`.
//
// cell:    latitude and longitude, as float64, become the cell of the map in which they lie, as a geohash of 5 characters
//          (about 5 km), and the distance from the depot in km. NULL, or a place that is not on Earth, gives NULL.
// nearby:  keeps the rows that are within 3 km of the depot, and says which they are, so that their event times stay right.

import { Batch, Column, F64Writer, failed, newBatch, setOrigin, TextWriter, Type, withOrigins } from "./weir";

export { weir_abi_v1, weir_alloc } from "./weir";

const DEPOT_LATITUDE: f64 = 52.52;
const DEPOT_LONGITUDE: f64 = 13.405;
const NEARBY_KM: f64 = 3;

const RADIANS: f64 = Math.PI / 180;
const EARTH_KM: f64 = 6371;
const CELL_CHARACTERS: u32 = 5;
const ALPHABET: string = "0123456789bcdefghjkmnpqrstuvwxyz";

export function cell(input: Batch): Batch {
  if (!arePositions(input)) return failed("give the module two columns of float64: latitude and longitude");
  const latitudes = input.column(0);
  const longitudes = input.column(1);
  const output = newBatch(input.rows, 2);
  const cells = new TextWriter(output, 0, CELL_CHARACTERS);
  const distances = new F64Writer(output, 1);
  for (let row: u32 = 0; row < input.rows; row++) {
    if (isPlace(latitudes, longitudes, row)) {
      writeCell(cells.next, latitudes.f64(row), longitudes.f64(row));
      cells.push(CELL_CHARACTERS);
      distances.set(row, distance(latitudes.f64(row), longitudes.f64(row)));
    } else {
      cells.pushNull();
      distances.setNull(row);
    }
  }
  return output;
}

export function nearby(input: Batch): Batch {
  if (!arePositions(input)) return failed("give the module two columns of float64: latitude and longitude");
  const latitudes = input.column(0);
  const longitudes = input.column(1);
  let kept: u32 = 0;
  for (let row: u32 = 0; row < input.rows; row++) if (isNear(latitudes, longitudes, row)) kept++;
  const output = newBatch(kept, 1);
  withOrigins(output);
  const distances = new F64Writer(output, 0);
  let next: u32 = 0;
  for (let row: u32 = 0; row < input.rows; row++) {
    if (!isNear(latitudes, longitudes, row)) continue;
    distances.set(next, distance(latitudes.f64(row), longitudes.f64(row)));
    setOrigin(output, next, row);
    next++;
  }
  return output;
}

function arePositions(input: Batch): bool {
  if (input.columns != 2) return false;
  return input.column(0).type == Type.FLOAT64 && input.column(1).type == Type.FLOAT64;
}

function isPlace(latitudes: Column, longitudes: Column, row: u32): bool {
  if (latitudes.isNull(row) || longitudes.isNull(row)) return false;
  return Math.abs(latitudes.f64(row)) <= 90 && Math.abs(longitudes.f64(row)) <= 180;
}

function isNear(latitudes: Column, longitudes: Column, row: u32): bool {
  return isPlace(latitudes, longitudes, row) && distance(latitudes.f64(row), longitudes.f64(row)) <= NEARBY_KM;
}

/** Kilometres from the depot along the surface (haversine). */
function distance(latitude: f64, longitude: f64): f64 {
  const north = Math.sin(((latitude - DEPOT_LATITUDE) * RADIANS) / 2);
  const east = Math.sin(((longitude - DEPOT_LONGITUDE) * RADIANS) / 2);
  const across = Math.cos(latitude * RADIANS) * Math.cos(DEPOT_LATITUDE * RADIANS);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(north * north + across * east * east)));
}

/** Halves the map by turns, east and west first; five halvings make a character. */
function writeCell(at: usize, latitude: f64, longitude: f64): void {
  let west: f64 = -180;
  let east: f64 = 180;
  let south: f64 = -90;
  let north: f64 = 90;
  let byLongitude = true;
  for (let i: u32 = 0; i < CELL_CHARACTERS; i++) {
    let index = 0;
    for (let bit = 0; bit < 5; bit++) {
      const middle = byLongitude ? (west + east) / 2 : (south + north) / 2;
      const upper = (byLongitude ? longitude : latitude) >= middle;
      index = (index << 1) | (upper ? 1 : 0);
      if (byLongitude) {
        if (upper) west = middle;
        else east = middle;
      } else if (upper) south = middle;
      else north = middle;
      byLongitude = !byLongitude;
    }
    store<u8>(at + i, <u8>ALPHABET.charCodeAt(index));
  }
}
