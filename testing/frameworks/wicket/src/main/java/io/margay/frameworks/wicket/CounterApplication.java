package io.margay.frameworks.wicket;

import org.apache.wicket.Page;
import org.apache.wicket.protocol.http.WebApplication;

/// The application, made by Wicket's filter.
public class CounterApplication extends WebApplication {
    @Override
    public Class<? extends Page> getHomePage() {
        return CounterPage.class;
    }

    @Override
    protected void init() {
        super.init();
        getCspSettings().blocking().disabled();
        mountPage("/fail", FailingPage.class);
    }
}
