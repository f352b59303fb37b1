package io.margay.frameworks.wicket;

import org.apache.wicket.markup.html.WebPage;

/// Cannot be shown.
public class FailingPage extends WebPage {
    private static final long serialVersionUID = 1;

    public FailingPage() {
        throw new IllegalStateException("as meant");
    }
}
