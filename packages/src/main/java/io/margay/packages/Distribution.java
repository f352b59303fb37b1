package io.margay.packages;

import java.nio.file.Files;
import java.nio.file.Path;

/// The unpacked distribution.
///
/// @param folder named `margay-VERSION`
record Distribution(Path folder) {
    Distribution {
        if (!Files.isExecutable(folder.resolve("margay"))) {
            throw new IllegalArgumentException(folder + " is missing: make dist");
        }
    }

    String name() {
        return folder.getFileName().toString();
    }

    String version() {
        return name().substring(name().indexOf('-') + 1);
    }
}
