/** cynic checks Rust types against the schema when they are compiled, as in docs/clients/rust.md. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { fullAccess, typeDefs } from '../../server/index.js';
import { sampleStores } from '../docs/format-samples.js';
import { install } from './packages.js';
import { blocksOf } from './pages.js';

const run = promisify(execFile);

const manifest = `[package]
name = "client"
version = "0.0.0"
edition = "2024"

[dependencies]
cynic = "=3.14.0"
serde_json = "1"

[build-dependencies]
cynic-codegen = "=3.14.0"

[profile.dev]
debug = false
`;

const build = `fn main() {
    cynic_codegen::register_schema("zarrql").from_sdl_file("schema.graphql").unwrap().as_default().unwrap();
}
`;

/** Writes the request, and the shape in the response. */
const program = `
use cynic::QueryBuilder;

#[derive(cynic::QueryVariables)]
struct ShapeVariables { select: Selection }

#[derive(cynic::QueryFragment)]
#[cynic(graphql_type = "Query", variables = "ShapeVariables")]
struct Shape { #[arguments(name: "coads")] store: Option<Store> }

#[derive(cynic::QueryFragment)]
#[cynic(variables = "ShapeVariables")]
struct Store { #[arguments(path: "SST")] array: Option<ZarrArray> }

#[derive(cynic::QueryFragment)]
#[cynic(variables = "ShapeVariables")]
struct ZarrArray { #[arguments(select: $select)] slice: Option<Slice> }

#[derive(cynic::QueryFragment)]
struct Slice { shape: Vec<BigInt> }

fn main() {
    let select = Selection { text: Some("0".into()) };
    let reply = std::io::read_to_string(std::io::stdin()).unwrap();
    if reply.is_empty() {
        print!("{}", serde_json::to_string(&Shape::build(ShapeVariables { select })).unwrap());
        return;
    }
    let result: cynic::GraphQlResponse<Shape> = serde_json::from_str(&reply).unwrap();
    let slice = result.data.unwrap().store.unwrap().array.unwrap().slice.unwrap();
    let shape: Vec<_> = slice.shape.into_iter().map(|size| size.0).collect();
    print!("{}", serde_json::to_string(&shape).unwrap());
}
`;

test('compiled types read a shape', { timeout: 600_000 }, async (context) => {
  const [types = ''] = blocksOf('rust.md', 'rust').filter((code) => code.includes('cynic'));
  // Dependencies are compiled once, in a folder that all versions of the schema share.
  const installed = await install(
    'cynic',
    {
      'Cargo.toml': manifest,
      'build.rs': build,
      'src/main.rs': `${types}\n${program}`,
      'schema.graphql': typeDefs,
    },
    [
      'sh',
      '-c',
      'CARGO_TARGET_DIR=../cynic-target cargo build --quiet && cp ../cynic-target/debug/client client',
    ],
  );
  if ('missing' in installed) return context.skip(installed.missing);
  const binary = join(installed.folder, 'client');
  const ask = async (input: string): Promise<string> => {
    const running = run(binary, []);
    running.child.stdin?.end(input);
    return (await running).stdout;
  };
  const gateway = sampleStores();
  onTestFinished(() => gateway.close());
  const body = await ask('');
  const headers = { 'content-type': 'application/json' };
  const request = new Request('http://localhost/graphql', { method: 'POST', headers, body });
  const response = await gateway.fetch(request, fullAccess);
  expect(JSON.parse(await ask(await response.text()))).toEqual([90, 180]);
});
