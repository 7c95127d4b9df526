/**
 * The example of twenty charts, built against the packed SDK: each chart is drawn as soon as it arrives. The test opens
 * the store of the slow charts.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { build } from 'vite';
import { createGateway, fullAccess } from '../../server/index.js';
import { defineStore } from '../../server/zarr/index.js';
import { startBrowser } from '../browser/chromium.js';
import { root } from '../docs/format-samples.js';
import { serve } from '../http/serving.js';
