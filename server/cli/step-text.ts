/** Operations as text, in the notation of the schema: `rolling: {dim: "time", window: 7, by: MEAN}`. */
import {
  assertInputObjectType,
  coerceInputLiteral,
  GraphQLError,
  parseConstValue,
  validateInputLiteral,
} from 'graphql';
import type { GivenStep } from '../analysis/operations/table.js';
import type { SliceStep } from '../resolvers/generated/types.js';
import { nullsAsDefaults } from '../resolvers/input-defaults.js';
import { gatewaySchema } from '../resolvers/schema.js';
import { givenStep } from '../resolvers/slices/step-arguments.js';
import { isZarrError } from '../zarr/index.js';
import { UsageError } from './run-command.js';

/** @throws UsageError for text that is no step */
export function parseStep(text: string): GivenStep {
  const refused = (reason: string, cause?: unknown): UsageError =>
    new UsageError(
      `--step ${JSON.stringify(text)}: ${reason}; write a step of the schema, such as 'rolling: {dim: "time", window: 7, by: MEAN}'`,
      { cause },
    );
  try {
    const node = parseConstValue(text.trim().startsWith('{') ? text : `{${text}}`);
    const type = assertInputObjectType(gatewaySchema().getType('SliceStep'));
    const problems: string[] = [];
    validateInputLiteral(node, type, ({ message }) => problems.push(message));
    if (problems[0] !== undefined) throw refused(problems[0]);
    const { step } = nullsAsDefaults({ step: { type } })({ step: coerceInputLiteral(node, type) });
    if (!isStep(step)) throw refused('it is no step');
    return givenStep(step);
  } catch (error) {
    if (isZarrError(error)) throw refused(error.detail, error);
    if (error instanceof GraphQLError) throw refused(error.message, error);
    throw error;
  }
}

/** GraphQL has checked the members. */
function isStep(value: unknown): value is SliceStep {
  return typeof value === 'object' && value !== null;
}
