package io.margay.packages;

import java.util.Map;

/// The machine that packages are made on and for.
final class Machine {
    /// What Debian and images call it.
    static final String DEBIAN_NAME =
            Map.of("amd64", "amd64", "x86_64", "amd64", "aarch64", "arm64")
                    .getOrDefault(System.getProperty("os.arch"), System.getProperty("os.arch"));

    private Machine() {}
}
