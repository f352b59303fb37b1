package old;

import net.sourceforge.stripes.action.ActionBean;
import net.sourceforge.stripes.action.ActionBeanContext;
import net.sourceforge.stripes.action.DefaultHandler;
import net.sourceforge.stripes.action.ForwardResolution;
import net.sourceforge.stripes.action.Resolution;
import net.sourceforge.stripes.action.UrlBinding;
import net.sourceforge.stripes.validation.Validate;

/// Orders.
@UrlBinding("/order.action")
public class OrderActionBean implements ActionBean {
    private ActionBeanContext context;

    @Validate(required = true)
    private String item;

    @Validate(required = true, minvalue = 1)
    private int amount;

    @Override
    public ActionBeanContext getContext() {
        return context;
    }

    @Override
    public void setContext(ActionBeanContext given) {
        context = given;
    }

    public String getItem() {
        return item;
    }

    public void setItem(String value) {
        item = value;
    }

    public int getAmount() {
        return amount;
    }

    public void setAmount(int value) {
        amount = value;
    }

    @DefaultHandler
    public Resolution order() {
        context.getRequest().setAttribute("sum", amount * 7);
        return new ForwardResolution("/WEB-INF/done.jsp");
    }
}
