// Mutation testing runs every property for each of many mutants, in code that is slower by the mutants in it.
import fc from 'fast-check';

fc.configureGlobal({ interruptAfterTimeLimit: 1000 });
