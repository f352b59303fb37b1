package io.margay.app.deploy;

/// Is told how the deployment of many applications goes. Called by several threads.
@FunctionalInterface
public interface DeployProgress {
    /// Says nothing.
    DeployProgress NONE = (done, total, last) -> {};

    /// One more application was deployed, or could not be.
    ///
    /// @param last what was just finished
    void deployed(int done, int total, String last);
}
