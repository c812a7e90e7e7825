// The types that are made from openapi.yaml stand with the nodes, which hold themselves to them too.
export type { components, operations, paths } from '../nodes/CustomerMessaging/contract/contract.types.ts';
