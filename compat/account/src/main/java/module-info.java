/// What has become of each line of another server's files.
module io.margay.compat.account {
    requires static org.jspecify;

    exports io.margay.compat.account;
}
