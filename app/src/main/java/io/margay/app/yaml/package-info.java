/// A file format described once: YAML with positions, shapes that check it, and the JSON Schema and
/// reference that follow from the shapes.
@NullMarked
package io.margay.app.yaml;

import org.jspecify.annotations.NullMarked;
