// What is read of YAML, in a file of its own for the bundler, which leaves out the rest of the library.
export { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
