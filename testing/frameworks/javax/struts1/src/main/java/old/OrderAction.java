package old;

import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.struts.action.Action;
import org.apache.struts.action.ActionForm;
import org.apache.struts.action.ActionForward;
import org.apache.struts.action.ActionMapping;

/// Orders, and remembers in the session by the method of Servlet 2.1.
public class OrderAction extends Action {
    @Override
    @SuppressWarnings("deprecation")
    public ActionForward execute(
            ActionMapping mapping,
            ActionForm form,
            HttpServletRequest request,
            HttpServletResponse response) {
        OrderForm order = (OrderForm) form;
        request.getSession().putValue("last", order.getItem());
        request.setAttribute("sum", order.getAmount() * 7);
        return mapping.findForward("done");
    }
}
