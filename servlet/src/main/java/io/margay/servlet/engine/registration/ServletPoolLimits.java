package io.margay.servlet.engine.registration;

/// Bounds of the instances of a servlet that has one request at a time.
///
/// @param instancesMax instances; 20, as in Tomcat
record ServletPoolLimits(int instancesMax) {
    ServletPoolLimits {
        if (instancesMax <= 0) {
            throw new IllegalArgumentException("instancesMax must be positive");
        }
    }

    static ServletPoolLimits defaults() {
        return new ServletPoolLimits(20);
    }
}
