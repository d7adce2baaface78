// Stands in for @types/node where Node's globals must not exist: apache-arrow's declarations ask for "node" by name.
export {};
