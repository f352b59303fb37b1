package old;

import org.apache.wicket.Page;
import org.apache.wicket.markup.html.WebPage;
import org.apache.wicket.markup.html.basic.Label;
import org.apache.wicket.markup.html.link.Link;
import org.apache.wicket.model.PropertyModel;
import org.apache.wicket.protocol.http.WebApplication;

/// Counts clicks.
public class Counter extends WebApplication {
    @Override
    public Class<? extends Page> getHomePage() {
        return Home.class;
    }

    /// The page.
    public static class Home extends WebPage {
        private int count;

        public Home() {
            add(new Label("count", new PropertyModel<>(this, "count")));
            add(
                    new Link<Void>("more") {
                        @Override
                        public void onClick() {
                            count++;
                        }
                    });
        }

        public int getCount() {
            return count;
        }
    }
}
