import { count } from './values.js';

/*
 * Bounds on a document and its variables, checked before anything of it runs. Generous: a person's documents, those of
 * code generators and GraphiQL's introspection stay far below.
 */
export const documentLimits = {
  maxTokens: count(100, 10_000_000).default(20_000).meta({
    unit: 'tokens',
    description: 'Words, numbers and punctuation marks of a document',
  }),
  // GraphiQL's introspection is 15 deep.
  maxDepth: count(16, 1000).default(32).meta({
    unit: 'levels',
    description: 'Levels of fields in a document',
  }),
  maxAliases: count(0, 1_000_000).default(1000).meta({
    unit: 'aliases',
    description: 'Fields with an alias in a document',
  }),
  maxRootFields: count(1, 1_000_000).default(500).meta({
    unit: 'fields',
    description: 'Fields of an operation itself, outside of all others',
  }),
  maxFields: count(500, 1_000_000).default(5000).meta({
    unit: 'fields',
    description: 'Fields of a document, those of a fragment counted wherever it is used',
  }),
  maxPositions: count(1000, 1e9).default(2_000_000).meta({
    unit: 'positions',
    description: 'Entries of lists, masks and points in selections, counted again wherever they are used',
  }),
  maxListedNodes: count(1000, 1e9).default(500_000).meta({
    unit: 'nodes',
    description:
      'Nodes that the listings and searches of a request look at, whether they are in the answer or not; variables and coordinates of datasets wherever they are listed',
  }),
  maxComplexity: count(1000, 1e12).default(500_000).meta({
    unit: 'fields',
    description: 'Fields that an answer may have: those within a list counted `first` times',
  }),
};
