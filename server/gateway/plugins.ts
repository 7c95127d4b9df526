/** What the GraphQL server does otherwise than it would by itself. */
import {
  type ExecutionArgs,
  getOperationAST,
  type GraphQLError,
  NoSchemaIntrospectionCustomRule,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { chooseJsonMediaType, jsonResponse, type SingleResult } from '../transport/json-response.js';
import type { CallerOptions, GatewayMetrics, OperationRecord } from './options.js';

type ShowError = (error: unknown) => GraphQLError;

/** Results as JSON, written by the gateway's own writer. Streams of results stay with the server's. */
export function useJsonResponses(show: ShowError): Plugin {
  return {
    onResultProcess(payload) {
      const { request, result } = payload;
      if (isAsyncIterable(result) || Array.isArray(result)) return;
      const mediaType = chooseJsonMediaType(request);
      if (mediaType === undefined) return;
      const single: SingleResult = { ...result, errors: result.errors?.map(show) };
      payload.setResultProcessor((_, { Response }) => jsonResponse(single, mediaType, Response), mediaType);
    },
  };
}

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/** Bodies that any web page can post without asking first (a "simple" request of CORS) are refused. */
export function useNoForms(): Plugin {
  return {
    onRequestParse({ request, fetchAPI, endResponse }) {
      const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
      if (request.method !== 'POST' || type === undefined || !formTypes.includes(type)) return;
      endResponse(new fetchAPI.Response(null, { status: 415, headers: { accept: 'application/json' } }));
    },
  };
}

export function useNoIntrospection(): Plugin {
  return {
    onValidate({ addValidationRule }) {
      addValidationRule(NoSchemaIntrospectionCustomRule);
    },
  };
}

export function useMetrics(
  metrics: Pick<GatewayMetrics, 'operation'>,
  show: ShowError,
): Plugin<CallerOptions> {
  return {
    onExecute({ args, context }) {
      const executed: ExecutionArgs = args;
      const { observe } = context;
      if (observe === undefined && metrics.operation === undefined) return undefined;
      const start = performance.now();
      const operation = getOperationAST(executed.document, executed.operationName);
      return {
        onExecuteDone({ result }) {
          if (isAsyncIterable(result)) return;
          const record: OperationRecord = {
            kind: operation?.operation ?? 'query',
            name: operation?.name?.value,
            durationMs: performance.now() - start,
            codes: (result.errors ?? []).map((error) => String(show(error).extensions['code'])),
          };
          metrics.operation?.(record);
          observe?.(record);
        },
      };
    },
  };
}
