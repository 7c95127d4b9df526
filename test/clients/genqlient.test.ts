/** genqlient generates Go code from the schema and documents, configured as in docs/clients/genqlient.md. */
import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { fullAccess, typeDefs } from '../../server/index.js';
import { listen } from '../client/listen.js';
import { sampleStores } from '../docs/format-samples.js';
import { install } from './packages.js';
import { blocksOf, workFolder } from './pages.js';

const run = promisify(execFile);

const module = `module example.org/zarrql

go 1.26.0

require (
	github.com/Khan/genqlient v0.8.1
	github.com/vektah/gqlparser/v2 v2.5.64
	golang.org/x/tools v0.52.0
)
`;

const program = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.org/zarrql"
	"github.com/Khan/genqlient/graphql"
)

func main() {
	client := graphql.NewClient(os.Args[1], http.DefaultClient)
	index := json.Number("0")
	result, err := zarrql.Sst(context.Background(), client, &zarrql.DimSelection{Index: &index})
	if err != nil {
		panic(err)
	}
	fmt.Print(string(*result.Store.Array.Slice.Values))
}
`;

test('generated code reads values', { timeout: 600_000 }, async (context) => {
  const tool = await install('genqlient', { 'go.mod': module }, [
    'go',
    'build',
    '-mod=mod',
    '-o',
    'genqlient',
    'github.com/Khan/genqlient',
  ]);
  if ('missing' in tool) return context.skip(tool.missing);
  const folder = workFolder({
    'schema.graphql': typeDefs,
    'genqlient.yaml': blocksOf('genqlient.md', 'yaml').join(''),
    'queries.graphql': blocksOf('genqlient.md', 'graphql').join(''),
    'main/main.go': program,
  });
  for (const file of ['go.mod', 'go.sum']) copyFileSync(join(tool.folder, file), join(folder, file));
  await run(join(tool.folder, 'genqlient'), [], { cwd: folder });
  const gateway = sampleStores();
  const server = await listen((request) => gateway.fetch(request, fullAccess));
  onTestFinished(async () => {
    server.close();
    await gateway.close();
  });
  const { stdout } = await run('go', ['run', '-mod=mod', './main', server.url], {
    cwd: folder,
    maxBuffer: 2 ** 24,
  });
  const values: unknown = JSON.parse(stdout);
  expect(values).toHaveLength(90);
});
