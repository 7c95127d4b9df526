import { count } from './values.js';

/*
 * Limits on a document and its variables, checked before execution. Documents written by people, code
 * generators and GraphiQL's introspection stay far below them.
 */
export const documentLimits = {
  maxTokens: count(100, 10_000_000).default(20_000).meta({
    unit: 'tokens',
    description: 'Tokens of a document: words, numbers and punctuation marks',
  }),
  // GraphiQL's introspection is 15 levels deep.
  maxDepth: count(16, 1000).default(32).meta({
    unit: 'levels',
    description: 'Nesting depth of fields in a document',
  }),
  maxAliases: count(0, 1_000_000).default(1000).meta({
    unit: 'aliases',
    description: 'Aliased fields in a document',
  }),
  maxRootFields: count(1, 1_000_000).default(500).meta({
    unit: 'fields',
    description: 'Top-level fields of an operation',
  }),
  maxFields: count(500, 1_000_000).default(5000).meta({
    unit: 'fields',
    description: 'Fields of a document, with those of a fragment counted at each use',
  }),
  maxPositions: count(1000, 1e9).default(2_000_000).meta({
    unit: 'positions',
    description: 'Entries of lists, masks and points in selections, counted at each use',
  }),
  maxListedNodes: count(1000, 1e9).default(500_000).meta({
    unit: 'nodes',
    description: 'Nodes, variables and coordinates that one request may visit in listings and searches',
  }),
  maxComplexity: count(1000, 1e12).default(500_000).meta({
    unit: 'fields',
    description: 'Fields that a response may have; a field in a list counts `first` times',
  }),
};
