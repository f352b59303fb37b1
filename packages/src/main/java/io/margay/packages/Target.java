package io.margay.packages;

/// A kind of machine that packages are made for, by the names that others give it.
enum Target {
    AMD64("amd64", "x86_64"),
    ARM64("arm64", "aarch64");

    /// What Debian and images call it.
    final String debian;

    /// What RPM and the kernel call it.
    final String kernel;

    Target(String debian, String kernel) {
        this.debian = debian;
        this.kernel = kernel;
    }

    /// The machine that this runs on.
    static Target own() {
        return named(System.getProperty("os.arch"));
    }

    static Target named(String name) {
        for (Target each : values()) {
            if (name.equals(each.debian) || name.equals(each.kernel)) {
                return each;
            }
        }
        throw new IllegalArgumentException("no packages are made for " + name);
    }
}
