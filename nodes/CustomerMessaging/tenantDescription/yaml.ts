// The package contains this module as a separate, minified file.
export { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
