package io.margay.acme;

/// Names of the files of an account, beside one another in its folder.
final class AccountFiles {
    static final String KEY = "account.pem";

    static final String PLACE = "account.url";

    /// The key that an account is being given.
    static final String NEXT_KEY = CertificateFolder.NEXT_KEY;

    private AccountFiles() {}
}
