/** What the GraphQL server does otherwise than it would by itself. */
import { type GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { isCborRequest, parseCborRequest } from '../transport/cbor-request.js';
import { chooseMediaType } from '../transport/accept.js';
import { eventStreamMediaType } from '../transport/event-stream.js';
import {
  chooseResultMediaType,
  resultMediaTypes,
  resultResponse,
  type SingleResult,
} from '../transport/result-response.js';

type ShowError = (error: unknown) => GraphQLError;

/** Results as JSON or CBOR, written by the gateway's own writers. Streams of results stay with the server's. */
export function useResultResponses(show: ShowError): Plugin {
  return {
    onResultProcess(payload) {
      const { request, result } = payload;
      if (isAsyncIterable(result) || Array.isArray(result)) return;
      const mediaType = chooseResultMediaType(request);
      if (mediaType === undefined) return;
      const single: SingleResult = { ...result, errors: result.errors?.map(show) };
      payload.setResultProcessor((_, { Response }) => resultResponse(single, mediaType, Response), mediaType);
    },
  };
}

/** Requests whose body is CBOR. */
export function useCborRequests(): Plugin {
  return {
    onRequestParse({ request, setRequestParser }) {
      if (isCborRequest(request)) setRequestParser(parseCborRequest);
    },
  };
}

/**
 * Requests that accept no form of result are refused before anything of them runs. The server would answer some of them
 * in forms of its own (`multipart/mixed`), which are written at once and past the gateway's own writers.
 */
export function useOfferedForms(): Plugin {
  const offered = [...resultMediaTypes, eventStreamMediaType];
  return {
    onRequestParse({ request, fetchAPI, endResponse }) {
      if (chooseMediaType(request.headers.get('accept'), offered) !== undefined) return;
      endResponse(new fetchAPI.Response(null, { status: 406, headers: { vary: 'Accept' } }));
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
      endResponse(
        new fetchAPI.Response(null, {
          status: 415,
          headers: { accept: 'application/json, application/cbor' },
        }),
      );
    },
  };
}

const refusals: Readonly<Record<number, string>> = {
  406: 'no form of answer that "Accept" names is offered; there are application/json, application/graphql-response+json, application/cbor and text/event-stream',
  415: 'the body must be JSON or CBOR, with the header "Content-Type: application/json" or "application/cbor"',
};

/** What the server refuses by status alone gets a body that says why, in the shape of every other error. */
export function useSpokenRefusals(): Plugin {
  return {
    onResponse(payload) {
      const { response, fetchAPI } = payload;
      const message = refusals[response.status];
      if (message === undefined || response.body !== null) return;
      const headers = new fetchAPI.Headers(response.headers);
      headers.set('content-type', 'application/json; charset=utf-8');
      headers.delete('content-length');
      const body = JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_INPUT' } }] });
      payload.setResponse(new fetchAPI.Response(body, { status: response.status, headers }));
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
