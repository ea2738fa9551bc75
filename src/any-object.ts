import { Type } from '@sinclair/typebox';

/** Any JSON object: free-form content. */
export const AnyObject = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true, description });
