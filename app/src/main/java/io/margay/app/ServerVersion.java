package io.margay.app;

/// Which Margay this is.
public final class ServerVersion {
    private ServerVersion() {}

    /// The version in the jar's manifest; outside of a jar there is none.
    public static String number() {
        String version = ServerVersion.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
