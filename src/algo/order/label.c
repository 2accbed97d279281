/* label.c - label order: group, router, node */
#include "algo/order/order.h"

const struct order order_label = {
	.entry =
		{
			.name = "label",
			.example = "label",
			.summary = "by label: group, router, node",
		},
};
