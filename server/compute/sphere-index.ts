/**
 * Finds the cell that is nearest to a place on the sphere: a k-d tree of unit vectors, in which the distance along a
 * straight line orders places as the great-circle distance does. Longitudes of any convention, the date line and the
 * poles need no special treatment. Pure.
 */
/** Mean radius of the Earth in kilometres. */
const RADIUS_KM = 6371.0088;
/** Numbers outside these are no coordinates, such as fill values that no attribute declares. */
const MAX_LATITUDE = 90;
const MAX_LONGITUDE = 7200;
/** Cells that are compared one by one. */
const LEAF = 16;
/** Steps between two yields. */
const STEPS = 4096;

export interface NearestCell {
  /** Position of the cell in the coordinates. */
  readonly position: number;
  readonly kilometres: number;
}

export class SphereIndex {
  /** @param points unit vectors in the order of the tree; `positions` are those of the cells */
  private constructor(
    private readonly points: Float64Array,
    private readonly positions: Uint32Array,
  ) {}

  /** Upper bound on the memory of an index and of its creation, in bytes. */
  static bytesToCreate(cells: number): number {
    return cells * (3 * Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT);
  }

  /** Omits cells without coordinates. Yields between pieces of work. */
  static *create(latitudes: Float64Array, longitudes: Float64Array): Generator<void, SphereIndex, void> {
    if (longitudes.length !== latitudes.length)
      throw new RangeError('latitudes and longitudes have different lengths');
    const points = new Float64Array(3 * latitudes.length);
    const positions = new Uint32Array(latitudes.length);
    let count = 0;
    for (let i = 0; i < latitudes.length; i++) {
      if (i % STEPS === STEPS - 1) yield;
      const [latitude, longitude] = [latitudes[i], longitudes[i]];
      if (!isPlace(latitude, longitude)) continue;
      setVector(points, 3 * count, latitude, longitude);
      positions[count++] = i;
    }
    const all = count === latitudes.length;
    const index = new SphereIndex(
      all ? points : points.slice(0, 3 * count),
      all ? positions : positions.slice(0, count),
    );
    yield* index.#sort();
    return index;
  }

  get heldBytes(): number {
    return this.points.byteLength + this.positions.byteLength;
  }

  /** The nearest cell, of equally near ones the first; undefined if no cell has coordinates. */
  nearest(latitude: number, longitude: number): NearestCell | undefined {
    const { positions } = this;
    if (positions.length === 0) return undefined;
    setVector(this.#place, 0, latitude, longitude);
    [this.#best, this.#found] = [Infinity, 0];
    this.#visit(0, positions.length - 1, 0);
    return { position: positions[this.#found], kilometres: kilometresOf(this.#best) };
  }

  readonly #place = new Float64Array(3);
  /** The square of the shortest distance so far, and its point. */
  #best = Infinity;
  #found = 0;

  #visit(left: number, right: number, axis: number): void {
    if (right - left <= LEAF) {
      for (let i = left; i <= right; i++) this.#compare(i);
      return;
    }
    const middle = (left + right) >> 1;
    this.#compare(middle);
    const offset = this.#place[axis] - this.points[3 * middle + axis];
    const next = axis === 2 ? 0 : axis + 1;
    if (offset < 0) this.#visit(left, middle - 1, next);
    else this.#visit(middle + 1, right, next);
    if (offset * offset > this.#best) return;
    if (offset < 0) this.#visit(middle + 1, right, next);
    else this.#visit(left, middle - 1, next);
  }

  #compare(i: number): void {
    const { points, positions } = this;
    const place = this.#place;
    const [dx, dy, dz] = [points[3 * i] - place[0], points[3 * i + 1] - place[1], points[3 * i + 2] - place[2]]; // prettier-ignore
    const distance = dx * dx + dy * dy + dz * dz;
    if (distance > this.#best) return;
    if (distance === this.#best && positions[i] > positions[this.#found]) return;
    this.#best = distance;
    this.#found = i;
  }

  /** Sorts the points so that the middle of each part divides it along one axis, then both halves along the next. */
  *#sort(): Generator<void, void, void> {
    const parts: [left: number, right: number, axis: number][] = [[0, this.positions.length - 1, 0]];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const [left, right, axis] = part;
      if (right - left <= LEAF) continue;
      const middle = (left + right) >> 1;
      yield* this.#select(middle, left, right, axis);
      parts.push([left, middle - 1, (axis + 1) % 3], [middle + 1, right, (axis + 1) % 3]);
    }
  }

  /** Quickselect: moves the points below that of rank `k` before it. The pivot is random, so that no data is slow. */
  *#select(k: number, from: number, to: number, axis: number): Generator<void, void, void> {
    const { points } = this;
    let [left, right, steps] = [from, to, 0];
    while (left < right) {
      const pivot = points[3 * (left + Math.floor(Math.random() * (right - left + 1))) + axis];
      let [i, j] = [left, right];
      while (i <= j) {
        while (points[3 * i + axis] < pivot) i++;
        while (points[3 * j + axis] > pivot) j--;
        if (i <= j) this.#swap(i++, j--);
        if (++steps % STEPS === 0) yield;
      }
      if (k <= j) right = j;
      else if (k >= i) left = i;
      else return;
    }
  }

  #swap(i: number, j: number): void {
    if (i === j) return;
    const { points, positions } = this;
    [positions[i], positions[j]] = [positions[j], positions[i]];
    for (let d = 0; d < 3; d++)
      [points[3 * i + d], points[3 * j + d]] = [points[3 * j + d], points[3 * i + d]];
  }
}

/** Whether numbers are coordinates of a place. */
export function isPlace(latitude: number, longitude: number): boolean {
  return Math.abs(latitude) <= MAX_LATITUDE && Math.abs(longitude) <= MAX_LONGITUDE;
}

/** The great-circle distance of two places. */
export function kilometresBetween(
  a: readonly [latitude: number, longitude: number],
  b: readonly [latitude: number, longitude: number],
): number {
  const vectors = new Float64Array(6);
  setVector(vectors, 0, ...a);
  setVector(vectors, 3, ...b);
  const [x, y, z, u, v, w] = vectors;
  return kilometresOf((x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2);
}

function kilometresOf(squaredChord: number): number {
  return 2 * RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(squaredChord) / 2));
}

function setVector(points: Float64Array, at: number, latitude: number, longitude: number): void {
  const [phi, lambda] = [(latitude * Math.PI) / 180, ((longitude % 360) * Math.PI) / 180];
  points[at] = Math.cos(phi) * Math.cos(lambda);
  points[at + 1] = Math.cos(phi) * Math.sin(lambda);
  points[at + 2] = Math.sin(phi);
}
