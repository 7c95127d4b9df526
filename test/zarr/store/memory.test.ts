import { describeStore } from '../../contracts/store.js';
import { createMemoryStore } from '../../../server/zarr/store/memory.js';

describeStore('memory', {
  async open(contents) {
    const store = createMemoryStore({ label: 'test' });
    for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
    return store;
  },
});
